import MartletFuzzDriver
import MartletFuzzOracles

fuzz(IMAPValueOracle.checkEnvelope)
