"""Processes that can be killed at any moment and are limited in time and memory, and pools of them."""
