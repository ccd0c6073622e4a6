from tests.rails.fake_server.server import main
from tests.rails.wompi.rail import WompiRail

if __name__ == "__main__":
    main(WompiRail)
