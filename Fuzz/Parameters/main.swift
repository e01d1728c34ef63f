import MartletFuzzDriver
import MartletFuzzOracles

fuzz(ParametersOracle.check)
