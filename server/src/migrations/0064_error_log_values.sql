-- Failed queries were kept with the values of their statement: in the message, and in the head of the stack.
UPDATE "error_log" SET
	"message" = split_part("message", E'\nparams: ', 1),
	"stack" = CASE WHEN position(E'\n    at ' in "stack") > 0
		THEN substring("stack" from position(E'\n    at ' in "stack") + 1) ELSE '' END
WHERE "source" <> 'browser' AND "message" LIKE 'Failed query:%';
