namespace Dns.Answering.Handling;

/// <summary>
/// Answers messages of one opcode, or queries for one meta-type: NOTIFY, UPDATE, AXFR. Registered in
/// <see cref="MessageHandlers"/>.
/// </summary>
/// <remarks>
/// Thread-safe; runs on the receiving thread, so it must not wait, block or throw. Longer work takes the reply path and
/// runs elsewhere. Only the header has been parsed for an opcode; a query for a meta-type is well-formed. The handler
/// checks access and TSIG.
/// </remarks>
public interface IMessageHandler
{
    /// <summary>Answers one message.</summary>
    /// <param name="message">The message, with room for its reply.</param>
    /// <returns>
    /// The reply written over the message, or none; <see cref="ReplyOutcome.Deferred"/> if the path was taken;
    /// <see cref="ReplyOutcome.NotHandled"/> if the message is unchanged and to be answered without the handler.
    /// </returns>
    ReplyOutcome Respond(scoped in HandledMessage message);
}
