"""Suites as pytest items. pytest loads `plugin`, and the rest only where suites are asked for."""
