SystemdErrorWriter.Use();
return await DnsdCommand.InvokeAsync(args, Console.Out, Console.Error);
