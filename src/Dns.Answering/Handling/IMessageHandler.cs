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
    /// Length of the reply written over the message; 0 for none; <see cref="Responder.ReplyDeferred"/> if the path was
    /// taken; <see cref="Responder.NotHandled"/> if the message is unchanged and to be answered without the handler.
    /// </returns>
    int Respond(scoped in HandledMessage message);
}
