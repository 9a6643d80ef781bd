namespace Dns.Answering;

/// <summary>
/// Answers messages of one opcode, or queries for one meta-type: NOTIFY, UPDATE, AXFR. Registered in
/// <see cref="MessageHandlers"/> when the server is put together.
/// </summary>
/// <remarks>
/// Called by all threads at once, on the thread that received the message: it does not wait, lock for long or throw. What takes
/// longer takes the way back and goes on elsewhere. The message is unread but for its header: its opcode is the handler's, or it
/// is a well-formed query for the handler's type. Whether the client is allowed, and a TSIG record right, is the handler's to find
/// out.
/// </remarks>
public interface IMessageHandler
{
    /// <summary>Answers one message.</summary>
    /// <param name="message">The message, with room for its reply.</param>
    /// <returns>
    /// Length of the reply written over the message; 0 for none; <see cref="Responder.AnswersLater"/> if its path was taken;
    /// <see cref="Responder.NotHandled"/> if the message is as it was and to be answered without the handler.
    /// </returns>
    int Respond(scoped in HandledMessage message);
}
