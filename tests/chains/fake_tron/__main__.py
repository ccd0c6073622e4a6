from tests.chains.fake_tron.rail import TronRail
from tests.rails.fake_server.server import main

if __name__ == "__main__":
    main(TronRail)
