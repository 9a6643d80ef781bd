namespace Dns.Transport.Tests;

/// <summary>Answers every query later, from a thread of its own, and allocates nothing for it.</summary>
internal sealed class AnsweringThread : IDisposable
{
    private readonly ReplyPath[] _ring = new ReplyPath[16];
    private readonly SemaphoreSlim _taken = new(0);
    private readonly Lock _gate = new();
    private int _next;
    private volatile bool _ended;

    public AnsweringThread()
    {
        Responder = new TestResponder { IsLater = _ => true, Taken = Add };
        new Thread(Answer) { IsBackground = true }.Start();
    }

    public TestResponder Responder { get; }

    /// <summary>Answers that the thread allocated for.</summary>
    public int Allocating { get; private set; }

    public void Dispose()
    {
        _ended = true;
        _taken.Release();
    }

    private void Add(ReplyPath path, ushort id)
    {
        lock (_gate)
        {
            _ring[_next++ % _ring.Length] = path;
        }

        _taken.Release();
    }

    private void Answer()
    {
        Span<byte> answer = stackalloc byte[40];
        for (int i = 0; ; i++)
        {
            _taken.Wait();
            if (_ended)
            {
                return;
            }

            ReplyPath path;
            lock (_gate)
            {
                path = _ring[i % _ring.Length];
            }

            long before = GC.GetAllocatedBytesForCurrentThread();
            path.Send(answer);
            Allocating += GC.GetAllocatedBytesForCurrentThread() == before ? 0 : 1;
        }
    }
}
