namespace Dns.Dnssec.Tests;

public class AlgorithmTests
{
    [Theory]
    [InlineData(DnssecAlgorithm.EcdsaP256Sha256, 13)]
    [InlineData(DnssecAlgorithm.Ed25519, 15)]
    public void An_algorithm_has_the_number_of_its_registry(DnssecAlgorithm algorithm, byte number) =>
        Assert.Equal(number, (byte)algorithm);
}
