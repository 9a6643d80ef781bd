using System.Text;

namespace Dns.Testing;

/// <summary>Zones from the text of a master file.</summary>
public static class ZoneText
{
    /// <summary>Loads a zone as the server would, from a file of its own.</summary>
    /// <exception cref="FormatException">The text has errors; the message lists them.</exception>
    public static Zone Load(string apex, string text)
    {
        string file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, text, Encoding.Latin1);
            ZoneLoadResult result = ZoneLoader.Load(DomainName.Parse(apex), file);
            return result.Zone ?? throw new FormatException(string.Join('\n', result.Diagnostics));
        }
        finally
        {
            File.Delete(file);
        }
    }
}
