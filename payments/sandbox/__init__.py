"""Endpoints that let a merchant's developer force outcomes; mounted only when SANDBOX is on."""
