"""Console pages of the team, one module for each noun."""

from merchants.team.admin.access_requests import AccessRequestAdmin
from merchants.team.admin.invitations import InvitationAdmin

__all__ = ["AccessRequestAdmin", "InvitationAdmin"]
