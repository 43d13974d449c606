"""How a run is planned and an episode is played, scored and replayed; knows no track and no store."""
