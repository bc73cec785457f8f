"""The REST interface, /api/v1/: what the pages do, for programs. JSON in, JSON out; described in docs/api.md."""
