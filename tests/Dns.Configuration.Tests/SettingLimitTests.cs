namespace Dns.Configuration.Tests;

/// <summary>The last value that a setting takes, and the first that it does not.</summary>
public sealed class SettingLimitTests : IDisposable
{
    private readonly SettingsFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string[] Problems(string dns) => _folder.Problems($$"""{ "Dns": {{dns}} }""");

    [Theory]
    [InlineData("""{ "MaxUdpPayload": VALUE }""", "512", "511")]
    [InlineData("""{ "MaxUdpPayload": VALUE }""", "65535", "65536")]
    [InlineData("""{ "Workers": VALUE }""", "0", "-1")]
    [InlineData("""{ "Workers": VALUE }""", "1024", "1025")]
    [InlineData("""{ "Cache": { "MaxTtl": "VALUE" } }""", "7d", "604801")]
    [InlineData("""{ "Cache": { "ServeStale": "VALUE" } }""", "1w", "1w1s")]
    [InlineData("""{ "Cache": { "MaxBytes": "VALUE" } }""", "1024G", "1025G")]
    [InlineData("""{ "Cache": { "MaxBytes": "VALUE" } }""", "1024g", "17179869185G")]
    [InlineData("""{ "Cache": { "MaxBytes": "VALUE" } }""", "1048576k", "18446744073709551616")]
    [InlineData("""{ "RateLimit": { "Exempt": [ "VALUE" ] } }""", "192.0.2.0/24", "192.0.2.1/24")]
    [InlineData("""{ "RateLimit": { "Exempt": [ "VALUE" ] } }""", "10.0.0.0/8", "10.0/8")]
    [InlineData("""{ "RateLimit": { "Exempt": [ "VALUE" ] } }""", "2001:db8::/32", "2001:db8::1/32")]
    public void A_value_is_taken_to_its_limit(string dns, string within, string beyond)
    {
        Assert.Empty(Problems(dns.Replace("VALUE", within)));
        Assert.Single(Problems(dns.Replace("VALUE", beyond)));
    }

    [Fact]
    public void The_least_cache_is_taken()
    {
        string least =
            Dns.Forwarding.CacheOptions.LeastBytes.ToString(System.Globalization.CultureInfo.InvariantCulture);
        Assert.Empty(Problems($$"""{ "Cache": { "MaxBytes": {{least}} } }"""));
        Assert.Single(Problems("""{ "Cache": { "MaxBytes": 1048575 } }"""));
        Assert.Empty(Problems("""{ "Cache": { "MaxBytes": "100%" } }"""));
        foreach (string none in (string[])["0%", "101%", "%", "-1%", "1.5%"])
            Assert.Single(Problems($$"""{ "Cache": { "MaxBytes": "{{none}}" } }"""));
    }

    [Fact]
    public void A_part_of_the_memory_is_that_of_the_process_and_the_default_is_a_quarter_at_most()
    {
        long memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        long Of(string dns) => _folder.Options(dns).Cache.MaxBytes;
        Assert.Equal(memory / 100 * 25, Of("""{ "Cache": { "MaxBytes": "25%" } }"""));
        Assert.Equal(Math.Min(256L << 20, memory / 4), Of("{ }"));
    }

    [Fact]
    public void A_transfer_takes_half_of_the_memory_at_most_by_default()
    {
        long memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        Assert.Equal(Math.Min(8L << 30, memory / 2), _folder.Options("{ }").Transfer.MaxOctets);
        Assert.Equal(1L << 40,
            _folder.Options("""{ "Transfer": { "MaxOctets": "1024G" } }""").Transfer.MaxOctets);
    }

    [Fact]
    public void Text_is_measured_in_octets()
    {
        Assert.Equal(new string('ä', 127),
            _folder.Options($$"""{ "Identity": "{{new string('ä', 127)}}" }""").Identity);
        Assert.Single(Problems($$"""{ "Identity": "{{new string('ä', 128)}}" }"""));
    }

    [Fact]
    public void A_key_is_the_same_in_every_case_and_in_every_source()
    {
        Assert.Equal(4096, _folder.Options("""{ "mAXuDPpAYLOAD": 4096 }""").MaxUdpPayload);
        Assert.Equal(1300,
            _folder.Options("""{ "maxudppayload": 4096 }""", null, ("DNS__MAXUDPPAYLOAD", "1300")).MaxUdpPayload);
    }

    [Theory]
    [InlineData(86400, "1d")]
    [InlineData(86401, "86401")]
    [InlineData(90000, "25h")]
    [InlineData(604800, "1w")]
    [InlineData(59, "59")]
    public void A_time_is_written_in_its_largest_whole_unit(int seconds, string text) =>
        Assert.Equal(text, DurationText.Format(TimeSpan.FromSeconds(seconds)));
}
