import pytest

from tests.chains import shop
from tests.chains.accounts import chain_accounts, connect  # noqa: F401
from tests.chains.fake_chain import FakeChain, MempoolChain


@pytest.fixture
def chain(catalogues: None, chain_accounts: None) -> FakeChain:  # noqa: F811
    """A node with a mempool, read to its tip once."""
    shop.set_prices()
    made = connect(MempoolChain())
    shop.scan(made)
    return made
