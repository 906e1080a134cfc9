"""Prompts under test that are projections: written from blocks of other files, and held to be current."""
