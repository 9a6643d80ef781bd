namespace Dns.Configuration;

/// <summary>A number with its noun, singular or plural.</summary>
public static class Counted
{
    /// <summary><c>1 zone</c>, <c>0 zones</c>, <c>1,234 zones</c>.</summary>
    /// <param name="noun">What is counted, in the singular; its plural has an s.</param>
    public static string Of(long count, string noun) =>
        string.Create(CultureInfo.InvariantCulture, $"{count:N0} {noun}{(count == 1 ? "" : "s")}");
}
