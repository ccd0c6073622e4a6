"""People of a team whose accounts change at the same instant, in real threads."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction

from merchants import members
from merchants.models import Membership, Merchant
from merchants.team import acceptance, access_requests, invitations
from merchants.team.models import AccessRequest
from payments.console import roles
from payments.core import clock
from payments.core.errors import ServiceError
from tests.support.merchant_staff import person_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("without_mail")]


class Approval(threading.Thread):
    """The second person agrees, on a connection of its own."""

    def __init__(self, request: AccessRequest, actor: User) -> None:
        super().__init__()
        self.request, self.actor = request, actor
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            access_requests.approve(
                request=self.request, actor=self.actor, reason="Agreed", now=clock.now()
            )
        except Exception as error:
            self.error = error
        finally:
            connections.close_all()

    def wait_until_it_waits(self) -> None:
        """For a lock, or until it has ended."""
        while self.is_alive() and not _is_one_waiting():
            self.join(0.02)


def _is_one_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


def test_role_of_approver_never_comes_to_a_merchant_that_did_not_give_it(
    merchant: Merchant, stranger: Merchant
) -> None:
    """Roles are of the account. The person joins the other merchant while the role is agreed to."""
    gabriel = person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
    rosa = person_of(merchant, "rosa", roles.MERCHANT_APPROVER, actor="dora")
    lucia = person_of(merchant, "lucia")
    oscar = person_of(stranger, "oscar", roles.MERCHANT_ADMINISTRATOR)
    request = access_requests.request_approver(
        merchant=merchant, user=lucia, actor=gabriel, reason="Pays", now=clock.now()
    )
    new = invitations.NewInvitation(
        email=lucia.email, name="Lucía", roles=(roles.MERCHANT_STAFF,), merchant=stranger
    )
    invited = invitations.invite(new=new, actor=oscar, reason="Helps", now=clock.now())
    token = invited.link.rstrip("/").rpartition("/")[2]
    approval = Approval(request, rosa)
    with transaction.atomic():
        acceptance.accept_as_existing(token=token, user=lucia, address="127.0.0.1", now=clock.now())
        approval.start()
        approval.wait_until_it_waits()
    approval.join()
    assert isinstance(approval.error, ServiceError)
    assert approval.error.code == "SEVERAL_MERCHANTS"
    assert Membership.objects.filter(user=lucia).count() == 2
    assert members.roles_of(lucia) == {roles.MERCHANT_STAFF}
