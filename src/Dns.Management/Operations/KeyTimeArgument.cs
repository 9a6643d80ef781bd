namespace Dns.Management.Operations;

/// <summary>Times in arguments of key commands.</summary>
public static class KeyTimeArgument
{
    /// <summary>Parses a date, a UTC time, <c>now</c>, or an offset from it.</summary>
    public static bool TryRead(string text, DateTimeOffset now, out DateTimeOffset time)
    {
        time = now;
        if (text == "now") return true;
        string[] forms = ["yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss'Z'"];
        if (DateTimeOffset.TryParseExact(
            text, forms, CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time))
            return true;
        bool isTime = TtlText.TryParse(Encoding.UTF8.GetBytes(text), out uint seconds) &&
            seconds <= KeySetRequests.Most.TotalSeconds;
        if (isTime) time = now + TimeSpan.FromSeconds(seconds);
        return isTime;
    }
}
