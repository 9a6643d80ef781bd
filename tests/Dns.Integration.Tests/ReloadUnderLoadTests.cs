using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Dns.Testing;

namespace Dns.Integration.Tests;

/// <summary>A large zone that is replaced again and again under a load that counts every answer.</summary>
public sealed class ReloadUnderLoadTests : IDisposable
{
    private const int Names = 100_000;
    private const int Reloads = 100;
    private const int Clients = 4;
    private const int Window = 32;

    /// <summary>
    /// The most that the heap may hold: a few versions of the zone. Beyond it an allocation fails; unlike the memory of
    /// a process at some moment, it does not depend on when the collector runs.
    /// </summary>
    private const long HeapBytes = 192 << 20;

    private readonly string _folder = Directory.CreateTempSubdirectory("dnsd-").FullName;
    private readonly byte[] _names;

    public ReloadUnderLoadTests()
    {
        StringBuilder text = new();
        for (int i = 0; i < Names; i++)
            text.Append(CultureInfo.InvariantCulture, $"n{i} A 10.{i >> 16 & 255}.{i >> 8 & 255}.{i & 255}\n");
        _names = Encoding.ASCII.GetBytes(text.ToString());
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Puts a version into its place. Its serial stands in records of three names.</summary>
    private void Publish(int serial)
    {
        string head = $"$TTL 60\n@ SOA ns h {serial} 2 3 4 5\n@ NS ns\nns A 192.0.2.1\n"
            + $"both MX {serial} mx\nmx A 10.255.{serial >> 8}.{serial & 255}\nalias CNAME far\nfar TXT {serial}\n";
        string part = Path.Combine(_folder, "part");
        using (FileStream file = File.Create(part))
        {
            file.Write(Encoding.ASCII.GetBytes(head));
            file.Write(_names);
        }
        File.Move(part, Path.Combine(_folder, "big.zone"), overwrite: true);
    }

    [Fact]
    public async Task A_hundred_reloads_under_load_lose_and_mix_no_answer_and_keep_no_memory()
    {
        Publish(1);
        using DnsdProcess dnsd = DnsdProcess.Start(
            _folder, ["run", "--listen", "127.0.0.1:0", "--zone", "big.test=big.zone"],
            ("DOTNET_GCHeapHardLimit", HeapBytes.ToString("X", CultureInfo.InvariantCulture)));
        IPEndPoint server = await dnsd.WaitUntilLoadedAsync();
        using CancellationTokenSource done = new();
        Load[] loads = [.. Enumerable.Range(0, Clients).Select(_ => new Load(server))];
        Task[] running = [.. loads
            .Select(load => Task.Factory.StartNew(() => load.Run(done.Token), TaskCreationOptions.LongRunning))];
        for (int serial = 2; serial <= Reloads + 1; serial++)
        {
            Publish(serial);
            await dnsd.WaitForLineAsync($"serial {serial}, ");
        }
        done.Cancel();
        await Task.WhenAll(running);
        Assert.Equal((0, 0), (loads.Sum(load => load.Lost), loads.Sum(load => load.Mixed)));
        Assert.All(loads, load => Assert.Equal((uint)Reloads + 1, load.LastSerial));
        Assert.DoesNotContain(dnsd.Lines, line => line.Contains(" ERR "));
    }

    /// <summary>One client: a window of queries, then all their answers.</summary>
    private sealed class Load(IPEndPoint server)
    {
        private readonly byte[][] _queries =
        [
            .. new[] { "both.big.test MX", "alias.big.test TXT", "nx.big.test A" }
                .Select(question => QueryMessage.For(question)
                    .WithEdns(1232, false, WireOctets.Option(EdnsOptionCode.ZoneVersion, [])).ToOctets()),
        ];

        private readonly Dictionary<(int Question, uint Serial), byte[]> _whole = [];

        public int Lost { get; private set; }

        public int Mixed { get; private set; }

        public long Answered { get; private set; }

        public uint LastSerial { get; private set; }

        public void Run(CancellationToken done)
        {
            using Socket socket =
                new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = 10_000 };
            socket.Connect(server);
            byte[] reply = new byte[1232];
            for (bool isLast = false; !isLast;)
            {
                isLast = done.IsCancellationRequested;
                for (int i = 0; i < Window; i++)
                {
                    BinaryPrimitives.WriteUInt16BigEndian(_queries[i % 3], (ushort)i);
                    socket.Send(_queries[i % 3]);
                }
                for (int i = 0; i < Window; i++)
                {
                    try
                    {
                        Check(reply.AsSpan(0, socket.Receive(reply)));
                    }
                    catch (SocketException)
                    {
                        Lost += Window - i;
                        return;
                    }
                }
            }
        }

        /// <summary>
        /// An answer has to be octet for octet the one that was read in full when its version first came.
        /// </summary>
        private void Check(ReadOnlySpan<byte> octets)
        {
            Answered++;
            int question = BinaryPrimitives.ReadUInt16BigEndian(octets) % 3;
            uint serial = BinaryPrimitives.ReadUInt32BigEndian(octets[^4..]);
            if (!_whole.TryGetValue((question, serial), out byte[]? whole))
            {
                _whole.Add((question, serial), whole = octets.ToArray());
                if (!IsOfOneVersion(Reply.Read(whole), serial)) Mixed++;
            }
            else if (!octets[2..].SequenceEqual(whole.AsSpan(2))) Mixed++;
            LastSerial = Math.Max(serial, LastSerial);
        }

        private static bool IsOfOneVersion(Reply reply, uint serial) => reply.Answer.Count switch
        {
            0 => BinaryPrimitives.ReadUInt32BigEndian(reply.Authority[0].Rdata.AsSpan()[^20..]) == serial,
            1 => reply.Answer[0].RdataText == $"{serial} mx.big.test."
                && reply.Additional[0].RdataText == $"10.255.{serial >> 8}.{serial & 255}",
            _ => reply.Answer[1].RdataText == $"\"{serial}\"",
        };
    }
}
