using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Dns.Management.Tests.Control;

/// <summary>The JSON of commands is a stable interface.</summary>
public class ControlJsonTests
{
    [Fact]
    public void Fields_without_a_value_are_null()
    {
        JsonElement zone = JsonSerializer.SerializeToElement(new ZoneStatus(), ControlJson.Default.ZoneStatus);
        foreach (string field in (string[])["serial", "loadedAt", "lastError", "nextRefresh", "failure", "signing"])
            Assert.Equal(JsonValueKind.Null, zone.GetProperty(field).ValueKind);
        JsonTypeInfo[] results =
        [
            ControlJson.Default.StatusSummary, ControlJson.Default.Readiness, ControlJson.Default.ZonePage,
            ControlJson.Default.ZoneStatus, ControlJson.Default.JournalContent, ControlJson.Default.ReloadReport,
            ControlJson.Default.Statistics, ControlJson.Default.Explanation, ControlJson.Default.CacheContent,
            ControlJson.Default.KeyList, ControlJson.Default.ListedKey,
        ];
        foreach (JsonTypeInfo result in results)
            Assert.All(result.Properties.Where(static field => field.Get is not null),
                static field => Assert.Null(field.ShouldSerialize));
    }

    [Fact]
    public void A_reply_has_one_of_error_text_and_data() =>
        Assert.Equal("""{"text":"done","isBad":false}""",
            JsonSerializer.Serialize(new ControlReply { Text = "done" }, ControlJson.Default.ControlReply));
}
