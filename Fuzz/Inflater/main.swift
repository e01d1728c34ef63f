import MartletFuzzDriver
import MartletFuzzOracles

fuzz(InflaterOracle.check)
