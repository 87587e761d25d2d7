"""The appliance: the only package that joins engine, vision and hardware."""
