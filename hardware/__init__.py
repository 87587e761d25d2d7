"""Devices: camera, buttons, display, buzzer. Imports nothing of ours, and device libraries only where they are used."""
