// Uses a Kotlin client generated from /openapi.json: creates an event with a document, follows pages, reads an error.
// Every event has a document, since the generated code cannot read a null in a type with variants.

import capture.kotlin.apis.EventsApi
import capture.kotlin.apis.UsersApi
import capture.kotlin.infrastructure.ApiClient
import capture.kotlin.infrastructure.ClientError
import capture.kotlin.infrastructure.ClientException
import capture.kotlin.infrastructure.Serializer
import capture.kotlin.infrastructure.Success
import capture.kotlin.models.*
import java.time.OffsetDateTime

const val PICTURE =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

fun main(arguments: Array<String>) {
    val events = EventsApi(arguments[0])
    val users = UsersApi(arguments[0])

    val letter = NewDocument(
        documentData = PICTURE,
        seal = 7,
        stamps = listOf(NewStampOfDocument(stampType = "heart", posX = 1, posY = 2, rotation = 0.5)),
    )
    val cheer = NewCheerEvent(
        document = letter,
        eventType = NewCheerEvent.EventType.cheer,
        amount = 100,
        userName = "Ann",
        occurredAt = OffsetDateTime.parse("2026-11-20T16:53:02Z"),
        user = NewUser(platformId = "kotlin-${System.nanoTime()}", name = "Ann"),
    )
    val event = events.createEvent(NewEvent(cheer)).actualInstance as CheerEvent
    check(event.amount == 100L && event.document!!.stamps[0].posY == 2L) { event }

    repeat(4) { events.createEvent(NewEvent(cheer)) }
    val found = mutableSetOf<Long>()
    var cursor: String? = null
    do {
        val request = users.listEventsOfUserWithHttpInfo(
            event.userId, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, 2, cursor,
        )
        val page = request as Success<List<Event>>
        page.data.forEach { found += (it.actualInstance as CheerEvent).eventId }
        cursor = Regex("[?&]cursor=([^&>]+)").find(page.headers["link"].orEmpty().joinToString())?.groupValues?.get(1)
    } while (cursor != null)
    check(found.size == 5) { found }

    try {
        users.changeUser(event.userId, UserChanges(name = ""))
        error("an empty name is refused")
    } catch (refused: ClientException) {
        val problem = Serializer.gson.fromJson((refused.response as ClientError<*>).body as String, Problem::class.java)
        check(problem.errors!![0].pointer == "/name") { problem }
    }
    println("the Kotlin client works")
}
