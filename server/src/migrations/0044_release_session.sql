CREATE TABLE "release_session" (
	"session_id" text NOT NULL,
	"name" text NOT NULL,
	"build" text NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"crashes" integer DEFAULT 0 NOT NULL,
	"violations" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "release_session_session_id_name_build_pk" PRIMARY KEY("session_id","name","build")
);
--> statement-breakpoint
CREATE INDEX "release_session_time" ON "release_session" USING btree ("time");--> statement-breakpoint
INSERT INTO "release_session" ("session_id", "name", "build", "time")
SELECT "session_id", "build"."key", "build"."value", max("time")
FROM "release_use", jsonb_each_text("builds") AS "build"
GROUP BY 1, 2, 3;--> statement-breakpoint
DROP TABLE "release_use";
