CREATE TABLE "release_load" (
	"id" uuid PRIMARY KEY NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"build" text NOT NULL,
	"ms" integer NOT NULL,
	"kind" text,
	"detail" text NOT NULL,
	"trace" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "release_use" (
	"key" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"builds" jsonb NOT NULL,
	"time" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "release_load_time" ON "release_load" USING btree ("time");--> statement-breakpoint
CREATE INDEX "release_use_time" ON "release_use" USING btree ("time");