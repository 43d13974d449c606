"""What a judge is asked and shown, and the rule-based judge that makes reports whole without a model."""
