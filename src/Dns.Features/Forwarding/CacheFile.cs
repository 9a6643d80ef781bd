using Microsoft.Extensions.Logging;

namespace Dns.Features.Forwarding;

/// <summary>Saves the cache to a file while the server is stopped. A bad file never prevents a start or stop.</summary>
public sealed class CacheFile(string path, Forwarder forwarder, TimeProvider clock, ILogger<CacheFile> logger)
{
    /// <summary>Loads the saved cache; logs that, or why it is unusable.</summary>
    public void Load()
    {
        try
        {
            if (!File.Exists(path)) return;
            using FileStream file = ExclusiveFile.OpenToRead(path);
            if (forwarder.Cache.TryLoad(file, clock.GetUtcNow(), out int entries, out CacheFileFault fault,
                forwarder.Origin))
                logger.CacheLoaded(Counted.Of(entries, "answer"), path);
            else
                logger.CacheNotUsed(path, TextOf(fault));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheNotUsed(path, error.Message);
        }
    }

    /// <summary>Warns at the start if the file cannot be written, before the cache is lost.</summary>
    public void Try()
    {
        try
        {
            ExclusiveFile.TryReplace(path, AnswerCache.FileMark);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheCannotBeKept(path, error.Message);
        }
    }

    /// <summary>Saves atomically.</summary>
    public void Save()
    {
        try
        {
            int entries = 0;
            ExclusiveFile.Replace(path, AnswerCache.FileMark,
                file => entries = forwarder.Cache.Save(file, clock.GetUtcNow(), forwarder.Origin));
            logger.CacheKept(Counted.Of(entries, "answer"), path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheNotKept(path, error.Message);
        }
    }

    private static string TextOf(CacheFileFault fault) => fault switch
    {
        CacheFileFault.Version => "it is no saved cache of this version",
        CacheFileFault.Checksum => "its checksum is wrong",
        CacheFileFault.Origin => "its answers come from other upstreams than those of Dns:Forward",
        CacheFileFault.Entry => "an entry is malformed",
        _ => "it does not end where its entries do",
    };
}
