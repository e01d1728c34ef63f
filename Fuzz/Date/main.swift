import MartletFuzzDriver
import MartletFuzzOracles

fuzz(DateOracle.check)
