"""The result store: runs, tasks, trials, scores, traces and attachments, and the journal of what is in progress."""
