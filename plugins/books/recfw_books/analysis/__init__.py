"""The analyses of the track: what stored runs came to, beside the paper's figures."""
