import MartletFuzzDriver
import MartletFuzzOracles

fuzz(POP3CommandOracle.check)
