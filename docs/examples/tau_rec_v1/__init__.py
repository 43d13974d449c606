"""A thin track over folders in the layout of tau-Rec v1, on recfw's elicitation package alone."""
