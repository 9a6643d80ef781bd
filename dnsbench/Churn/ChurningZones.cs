using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Dns.Bench;

/// <summary>
/// Zone files that are replaced repeatedly: a large one, and a directory of small ones. Each is written to a temporary
/// file and renamed.
/// </summary>
internal sealed class ChurningZones
{
    internal const string Apex = "churn.test";
    private const int AskTimeoutMs = 20, MaxAsks = 500;
    private readonly string _folder, _aside;
    private readonly byte[] _names;

    /// <param name="folder">For all files.</param>
    /// <param name="names">Names of the large zone.</param>
    internal ChurningZones(TemporaryFolder folder, int names)
    {
        _folder = Directory.CreateDirectory(folder.File("zones")).FullName;
        _aside = folder.File("aside");
        StringBuilder text = new();
        for (int i = 0; i < names; i++)
            text.Append(CultureInfo.InvariantCulture, $"n{i} A 10.{i >> 16 & 255}.{i >> 8 & 255}.{i & 255}\n");
        _names = Encoding.ASCII.GetBytes(text.ToString());
        Large = folder.File("large.zone");
    }

    /// <summary>The directory of the small zones.</summary>
    internal string Small => _folder;

    /// <summary>The file of the large zone.</summary>
    internal string Large { get; }

    /// <summary>
    /// Questions about the large zone: existing names, missing names, and an answer with the serial in two places.
    /// </summary>
    internal static IEnumerable<Question> Questions(int names, int count)
    {
        Random random = new(names);
        for (int i = 0; i < count; i++)
        {
            yield return (i % 4) switch
            {
                0 => new Question($"both.{Apex}", RRType.MX, Expectation.OneVersion),
                1 => new Question($"nx{random.NextInt64():x}.{Apex}", RRType.A, Expectation.NameError),
                _ => new Question($"n{random.Next(names)}.{Apex}", RRType.A, Expectation.Positive),
            };
        }
    }

    /// <summary>
    /// Replaces the large zone. Its serial, at most 65,535, is repeated in two records of one answer.
    /// </summary>
    internal void WriteLarge(int serial)
    {
        string head = $"$TTL 60\n@ SOA ns h {serial} 2 3 4 60\n@ NS ns\nns A 192.0.2.1\n"
            + $"both MX {serial} mx\nmx A 10.255.{serial >> 8}.{serial & 255}\n";
        using (FileStream file = File.Create(_aside))
        {
            file.Write(Encoding.ASCII.GetBytes(head));
            file.Write(_names);
        }
        File.Move(_aside, Large, overwrite: true);
    }

    /// <summary>Replaces small zones by others of another serial; those above the number are removed.</summary>
    internal void WriteSmall(int zones, int serial)
    {
        for (int i = 0; i < zones; i++) WriteOne(i, serial);
        for (int i = zones; File.Exists(FileOf(i)); i++) File.Delete(FileOf(i));
    }

    /// <summary>Replaces one small zone.</summary>
    internal void WriteOne(int zone, int serial)
    {
        LoadingCase.WriteSmall(_aside, serial);
        File.Move(_aside, FileOf(zone), overwrite: true);
    }

    private string FileOf(int zone) => Path.Combine(_folder, NameOf(zone) + ".zone");

    /// <summary>The name of a small zone.</summary>
    internal static string NameOf(int zone) => $"small{zone:D6}.test";

    /// <summary>Queries until there is an answer with a SOA, and returns its serial.</summary>
    /// <exception cref="TimeoutException">There is none.</exception>
    internal static uint AskSerial(IPEndPoint server, string zone)
    {
        using Socket socket =
            new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = AskTimeoutMs };
        socket.Connect(server);
        byte[] query = QueryText.Encode(zone, RRType.SOA), answer = new byte[512];
        for (int tries = 0; tries < MaxAsks; tries++)
        {
            try
            {
                socket.Send(query);
                if (SerialOf(answer.AsSpan(0, socket.Receive(answer))) is { } serial) return serial;
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.TimedOut)
            {
                // Asked again.
            }
        }
        throw new TimeoutException($"no answer for the serial of {zone} from {server}");
    }

    /// <summary>Queries until a zone has a serial, and returns the milliseconds since a moment.</summary>
    /// <exception cref="TimeoutException">It does not come.</exception>
    internal static double WaitFor(IPEndPoint server, string zone, int serial, long since, double seconds)
    {
        using Socket socket =
            new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = AskTimeoutMs };
        socket.Connect(server);
        byte[] query = QueryText.Encode(zone, RRType.SOA), answer = new byte[512];
        while (Stopwatch.GetElapsedTime(since).TotalSeconds < seconds)
        {
            try
            {
                socket.Send(query);
                int octets = socket.Receive(answer);
                if (SerialOf(answer.AsSpan(0, octets)) == serial)
                    return Stopwatch.GetElapsedTime(since).TotalMilliseconds;
            }
            catch (SocketException error) when (error.SocketErrorCode == SocketError.TimedOut)
            {
                // Asked again.
            }
            // The resolution of the result; polling faster would load the server.
            Thread.Sleep(1);
        }
        throw new TimeoutException($"serial {serial} of {zone} did not come within {seconds} s");
    }

    /// <summary>
    /// The serial of the first record, a SOA: twenty octets before its end. Null if there is no record.
    /// </summary>
    private static uint? SerialOf(ReadOnlySpan<byte> answer)
    {
        if (!MessageReader.TryOpen(answer, out MessageReader message)) return null;
        RecordReader records = message.ReadRecords();
        return records.TryRead() && records.Type == RRType.SOA && records.RdataOctets > 20
            ? BinaryPrimitives.ReadUInt32BigEndian(records.Rdata[^20..]) : null;
    }
}
