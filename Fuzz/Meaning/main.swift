import MartletFuzzDriver
import MartletFuzzOracles

fuzz(MeaningOracle.check)
