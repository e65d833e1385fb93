CREATE TABLE "job" (
	"name" text PRIMARY KEY NOT NULL,
	"last_time" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "action_log_entity";--> statement-breakpoint
ALTER TABLE "action_log" ADD COLUMN "fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "action_log_lines" ON "action_log" USING btree ("part","time","id");--> statement-breakpoint
CREATE INDEX "action_log_entities" ON "action_log" USING btree ("entity","part","time","id");--> statement-breakpoint
CREATE INDEX "action_log_results" ON "action_log" USING btree ("ok","part","time","id");--> statement-breakpoint
CREATE INDEX "action_log_rows" ON "action_log" USING btree ("entity_id","time","id");--> statement-breakpoint
CREATE INDEX "action_log_fields" ON "action_log" USING gin ("fields");--> statement-breakpoint
CREATE INDEX "action_log_duration" ON "action_log" USING btree ("duration","id");--> statement-breakpoint
UPDATE "action_log" SET "fields" = ARRAY(SELECT DISTINCT unnest(ARRAY[change->>'field', change->>'title']) FROM jsonb_array_elements("changes") AS change) WHERE "changes" <> '[]';
