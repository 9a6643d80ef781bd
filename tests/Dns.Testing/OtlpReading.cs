using System.Buffers.Binary;
using System.Text;

namespace Dns.Testing;

/// <summary>Reads requests of OTLP with metrics, written from their description and not from our writer.</summary>
public static class OtlpReading
{
    /// <summary>A point of a histogram.</summary>
    /// <param name="Labels">Its attributes, such as <c>transport=udp</c>.</param>
    /// <param name="Count">How many values.</param>
    /// <param name="Sum">Their sum.</param>
    /// <param name="Buckets">How many in each class.</param>
    /// <param name="Bounds">The upper ends of the classes but the last.</param>
    public sealed record Point(string Labels, ulong Count, double Sum, ulong[] Buckets, double[] Bounds);

    /// <summary>The names of all metrics of a request, with the points of those that are histograms.</summary>
    public static IReadOnlyList<(string Name, Point[] Histogram)> Metrics(byte[] request) =>
    [
        .. from resource in Messages(request, 1)
           from scope in Messages(resource, 2)
           from metric in Messages(scope, 2)
           select (TextOf(metric, 1),
               Messages(metric, 9).SelectMany(data => Messages(data, 1)).Select(PointOf).ToArray()),
    ];

    /// <summary>The aggregation temporality of every histogram of a request.</summary>
    public static IReadOnlyList<ulong> Temporalities(byte[] request) =>
    [
        .. from resource in Messages(request, 1)
           from scope in Messages(resource, 2)
           from metric in Messages(scope, 2)
           from histogram in Messages(metric, 9)
           select (ulong)DnstapReading.AllFields(histogram).Single(field => field.Number == 2).Value,
    ];

    /// <summary>The attributes of every resource of a request.</summary>
    public static IReadOnlyList<string> Resources(byte[] request) =>
        [.. Messages(request, 1).SelectMany(one => Messages(one, 1)).Select(one => LabelsOf(one, 1))];

    private static Point PointOf(byte[] point)
    {
        Dictionary<int, object> fields = DnstapReading.AllFields(point).Where(field => field.Number != 9)
            .ToDictionary(f => f.Number, f => f.Value);
        return new Point(LabelsOf(point, 9), (ulong)fields[4], BitConverter.UInt64BitsToDouble((ulong)fields[5]),
            Packed((byte[])fields[6]), [.. Packed((byte[])fields[7]).Select(BitConverter.UInt64BitsToDouble)]);
    }

    private static string LabelsOf(byte[] message, int field) =>
        string.Join(' ',
            Messages(message, field).Select(label => $"{TextOf(label, 1)}={TextOf(Messages(label, 2).Single(), 1)}"));

    private static ulong[] Packed(byte[] octets) =>
        [.. octets.Chunk(8).Select(chunk => BinaryPrimitives.ReadUInt64LittleEndian(chunk))];

    private static string TextOf(byte[] message, int field) =>
        Encoding.UTF8.GetString(Messages(message, field).FirstOrDefault() ?? []);

    private static IEnumerable<byte[]> Messages(byte[] message, int field) =>
        DnstapReading.AllFields(message).Where(one => one.Number == field).Select(one => one.Value).OfType<byte[]>();
}
