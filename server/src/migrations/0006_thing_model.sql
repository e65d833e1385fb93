-- Models as they were stored before services had a call type and parameters, and properties a word on history.
UPDATE "product" SET "model" = jsonb_build_object(
	'properties', (
		SELECT coalesce(jsonb_agg('{"required": false, "isHistory": true, "isMonitor": true}'::jsonb || "one" ORDER BY "at"), '[]'::jsonb)
		FROM jsonb_array_elements("model" -> 'properties') WITH ORDINALITY AS "list" ("one", "at")
	),
	'services', (
		SELECT coalesce(jsonb_agg('{"required": false, "callType": "async", "inputData": [], "outputData": []}'::jsonb || "one" ORDER BY "at"), '[]'::jsonb)
		FROM jsonb_array_elements("model" -> 'services') WITH ORDINALITY AS "list" ("one", "at")
	),
	'events', (
		SELECT coalesce(jsonb_agg('{"required": false, "outputData": []}'::jsonb || "one" ORDER BY "at"), '[]'::jsonb)
		FROM jsonb_array_elements("model" -> 'events') WITH ORDINALITY AS "list" ("one", "at")
	)
);
