-- The console writes the names of rooms on a plan; those drawn into plans of before would stand there twice.
-- A plan is kept by browsers for good, so what changed has another address.
INSERT INTO "floor_plan" ("hash", "svg")
SELECT md5("hash" || 'without names'), regexp_replace("svg", '<text[^>]*font-size="16"[^>]*>[^<]*</text><text[^>]*>[^<]* m²</text>', '', 'g')
FROM "floor_plan" WHERE "svg" LIKE '% m²</text>%'
ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE "space" SET "plan_hash" = md5("plan_hash" || 'without names')
WHERE "plan_hash" IN (SELECT "hash" FROM "floor_plan" WHERE "svg" LIKE '% m²</text>%');
