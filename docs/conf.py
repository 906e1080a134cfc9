"""How the site is built: `make site`. Navigation is in index.md; a page that it lacks is an error."""

import judges

project = "scaffold"
release = judges.__version__
extensions = ["myst_parser"]
nitpicky = True
myst_heading_anchors = 6  # so that links to headings are checked, by the names that GitHub gives them
smartquotes = False  # the two hyphens of an option are no dash
html_theme = "furo"
html_title = f"scaffold {release}"
html_copy_source = False
html_show_copyright = False
