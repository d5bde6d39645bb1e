"""The variants as data: one TOML file each, and `sources.toml`. Read by `scorepad.rules.loader`."""
