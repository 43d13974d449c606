"""Result bundles: a run signed off in one file, checked elsewhere, and ranked beside others on a static page."""
