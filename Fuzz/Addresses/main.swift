import MartletFuzzDriver
import MartletFuzzOracles

fuzz(AddressesOracle.check)
