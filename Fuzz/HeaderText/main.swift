import MartletFuzzDriver
import MartletFuzzOracles

fuzz(HeaderTextOracle.check)
