from tests.rails.fake_server.server import main
from tests.rails.wompi_payouts.rail import WompiPayoutsRail

if __name__ == "__main__":
    main(WompiPayoutsRail)
