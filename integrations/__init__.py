"""Connections to other products (Xero, HubSpot). Nothing is built here yet."""
