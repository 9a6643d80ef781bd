using Dns.Forwarding;
using Microsoft.Extensions.Logging;

namespace Dns.Server;

/// <summary>
/// Keeps the cache in a file while the server is stopped. No fault of the file keeps the server from starting or stopping.
/// </summary>
internal sealed class CacheFile(string path, Forwarder forwarder, TimeProvider clock, ILogger<CacheFile> logger)
{
    /// <summary>Loads what was saved; says so, or why it cannot be used.</summary>
    public void Load()
    {
        try
        {
            if (!File.Exists(path)) return;
            using FileStream file = ExclusiveFile.OpenToRead(path);
            if (forwarder.Cache.TryLoad(file, clock.GetUtcNow(), out int entries, out string? fault, forwarder.Origin))
                logger.CacheLoaded(Counted.Of(entries, "answer"), path);
            else
                logger.CacheNotUsed(path, fault);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            logger.CacheNotUsed(path, error.Message);
        }
    }

    /// <summary>Says at the start that nothing can be kept there, and not only when the cache is lost.</summary>
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

    /// <summary>Saves beside the old file and puts the new one in its place, so that there is always a whole one.</summary>
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
}
