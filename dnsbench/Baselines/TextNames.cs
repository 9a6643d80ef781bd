using System.Text;

namespace Dns.Bench;

/// <summary>Baseline: names as strings, read with a StringBuilder.</summary>
internal static class TextNames
{
    /// <summary>Reads a possibly compressed name.</summary>
    internal static string Read(byte[] message, ref int position)
    {
        StringBuilder text = new();
        int cursor = position, end = -1;
        while (message[cursor] != 0)
        {
            int label = message[cursor];
            if (label >= 0xC0)
            {
                if (end < 0) end = cursor + 2;
                cursor = (label & 0x3F) << 8 | message[cursor + 1];
                continue;
            }
            for (int i = 1; i <= label; i++) text.Append((char)message[cursor + i]);
            text.Append('.');
            cursor += label + 1;
        }
        position = end < 0 ? cursor + 1 : end;
        return text.ToString();
    }

    /// <summary>Reads a name as a joined list of labels.</summary>
    internal static string ReadLabels(byte[] message, ref int position)
    {
        List<string> labels = [];
        int cursor = position, end = -1;
        while (message[cursor] != 0)
        {
            int label = message[cursor];
            if (label >= 0xC0)
            {
                if (end < 0) end = cursor + 2;
                cursor = (label & 0x3F) << 8 | message[cursor + 1];
                continue;
            }
            labels.Add(Encoding.ASCII.GetString(message, cursor + 1, label));
            cursor += label + 1;
        }
        position = end < 0 ? cursor + 1 : end;
        return string.Join('.', labels).ToLowerInvariant();
    }
}
